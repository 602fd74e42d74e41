"""Words that occur nowhere else, each planted once at a place of one file."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

_STARTS = ("b", "d", "f", "g", "k", "m", "p", "t", "v", "z", "br", "dr", "gr", "pr", "tr")
_VOWELS = ("a", "e", "o", "u")
_ENDS = ("k", "n", "p", "t", "x")
_FRAMES = (
    "The depot at {} keeps records of every delivery.",
    "Nobody asked about {} before the winter came.",
    "Under the rules {} has to be paid in advance.",
    "Most visitors remember {} for its old harbour.",
    "A copy for {} goes to the district office.",
    "Her brother sold {} two boats and an old anchor.",
    "When snow falls, {} closes both upper roads.",
    "Seven teachers from {} wrote that petition.",
    "Measured at noon, {} had no trace of copper.",
    "He never took {} seriously, much less her uncle.",
    "Between us, {} costs more than fresh bread.",
)


@dataclass
class Planter:
    """Makes the words of a corpus and remembers where each one stands.

    Words are pronounceable and free of the letters that recognition mixes up (i, l, rn).

    Attributes:
        places: File name and place by word, for what must be found.
        dropped: The same for what may be left out of the text, with the ledger's knowledge.
    """

    seed: int = 7
    places: dict[str, tuple[str, str]] = field(default_factory=dict)
    dropped: dict[str, tuple[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Start the sequence of words, the same for every run."""
        self._random = random.Random(self.seed)

    def word(self, file: str, place: str) -> str:
        """Return a new word that must be found."""
        word = self._new()
        self.places[word] = (file, place)
        return word

    def furniture(self, file: str, place: str) -> str:
        """Return a new word that repeats on every page and so is dropped, in the ledger."""
        word = self._new()
        self.dropped[word] = (file, place)
        return word

    def sentence(self, file: str, place: str) -> str:
        """Return a sentence with a new word in its middle."""
        return self._random.choice(_FRAMES).format(self.word(file, place))

    def prose(self, file: str, place: str, sentences: int) -> str:
        """Return a paragraph whose sentences each hold a word."""
        return " ".join(self.sentence(file, f"{place}, sentence {n}") for n in range(sentences))

    def _new(self) -> str:
        while True:
            pick = self._random.choice
            word = "".join(pick(_STARTS) + pick(_VOWELS) for _ in range(3)) + pick(_ENDS)
            if word not in self.places and word not in self.dropped:
                return word
