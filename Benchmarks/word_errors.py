"""Word errors: substitutions, insertions and deletions of the cheapest alignment (Levenshtein)."""

import re


def words(text):
    """Lower-case words; punctuation and sentence marks do not count."""
    return re.findall(r"[a-z']+", re.sub(r"</?s>", " ", text.lower()))


def errors(reference, hypothesis):
    row = list(range(len(hypothesis) + 1))
    for i, word in enumerate(reference, 1):
        diagonal, row[0] = row[0], i
        for j, other in enumerate(hypothesis, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (word != other))
    return row[-1]
