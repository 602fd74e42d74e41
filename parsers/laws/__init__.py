"""Laws: articles, paragraphs, points with language-independent locators."""
