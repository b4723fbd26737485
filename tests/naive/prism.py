"""PRISM as it is written down: one perfect rule at a time, conditions counted row by row."""

from collections import Counter


def prism(rows, truth):
    """Rules as (conditions {column: value}, class), classes in sorted order."""
    rules = []
    for class_ in sorted(set(truth)):
        left = list(range(len(rows)))
        while any(truth[i] == class_ for i in left):
            conditions, inside = {}, left
            while any(truth[i] != class_ for i in inside) and len(conditions) < len(rows[0]):
                column, value = best_condition(rows, truth, class_, inside, conditions)
                conditions[column] = value
                inside = [i for i in inside if rows[i][column] == value]
            rules.append((conditions, class_))
            left = [i for i in left if i not in inside]
    return rules


def best_condition(rows, truth, class_, inside, conditions):
    """The largest share of the class, then the most rows of it, then the first."""
    best, found = (0, 0), None
    for column in range(len(rows[0])):
        if column in conditions:
            continue
        for value in sorted({rows[i][column] for i in inside}):
            covered = [truth[i] == class_ for i in inside if rows[i][column] == value]
            if (sum(covered) / len(covered), sum(covered)) > best:
                best, found = (sum(covered) / len(covered), sum(covered)), (column, value)
    return found


def decide(rules, row, truth):
    """The class of the first rule that covers the row, else the most frequent one."""
    for conditions, class_ in rules:
        if all(row[column] == value for column, value in conditions.items()):
            return class_
    return max(sorted(set(truth)), key=Counter(truth).__getitem__)
