from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from tasks.slicing.packing import fill, pack

ATOMS = st.lists(
    st.tuples(
        st.integers(0, 12),
        st.sampled_from([-0.8, -0.3, -0.1, 0.0, 0.3, 0.9]),
        st.sampled_from([False, False, False, True]),
    ),
    min_size=1,
    max_size=9,
)


def cost(ends: list[int], before: list[int], price: list[float], size: int) -> float:
    total = 0.0
    for i, j in itertools.pairwise(ends):
        room = size - (before[j] - before[i])
        total += 1 + price[j] + (0.1 * (room / size) ** 2 if room > 0 else 0)
    return total


@given(atoms=ATOMS, size=st.integers(1, 20))
def test_packing_is_the_cheapest_of_all_ways(
    atoms: list[tuple[int, float, bool]], size: int
) -> None:
    before = [0, *itertools.accumulate(n for n, _, _ in atoms)]
    price = [0.0, *(p for _, p, _ in atoms)]
    forced = [False, *(f for _, _, f in atoms)]
    last = len(atoms)
    inner = range(1, last)
    ways = []
    for chosen in itertools.chain.from_iterable(
        itertools.combinations(inner, n) for n in range(last)
    ):
        ends = [0, *chosen, last]
        fits = all(
            j == i + 1 or (before[j] - before[i] <= size and not any(forced[i + 1 : j]))
            for i, j in itertools.pairwise(ends)
        )
        if fits:
            ways.append(cost(ends, before, price, size))
    got = pack(before, price, forced, size)
    assert got[0] == 0
    assert got[-1] == last
    assert abs(cost(got, before, price, size) - min(ways)) < 1e-9


@given(atoms=ATOMS, size=st.integers(1, 20))
def test_filling_takes_all_that_fits(atoms: list[tuple[int, float, bool]], size: int) -> None:
    before = [0, *itertools.accumulate(n for n, _, _ in atoms)]
    forced = [False, *(f for _, _, f in atoms)]
    ends = fill(before, forced, size)
    for i, j in itertools.pairwise(ends):
        assert j == i + 1 or before[j] - before[i] <= size
        assert not any(forced[i + 1 : j])
        assert j == len(atoms) or forced[j] or before[j + 1] - before[i] > size


def test_nothing_packs_into_nothing() -> None:
    assert pack([0], [0.0], [False], 4) == [0]
    assert fill([0], [False], 4) == [0]
