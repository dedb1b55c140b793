package io.servery.core.operator;

import java.util.ArrayList;
import java.util.List;

/// Rows of words as aligned columns, two spaces apart.
final class Table {
    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();
    private final String leftAligned;

    /// @param alignment one character a column: `<` for words, `>` for numbers
    Table(String alignment) {
        leftAligned = alignment;
    }

    Table row(List<String> cells) {
        rows.add(List.copyOf(cells));
        return this;
    }

    String text() {
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                String cell = row.get(column);
                String padding = " ".repeat(width(column) - length(cell));
                boolean left = leftAligned.charAt(column) == '<';
                line.append(column == 0 ? "" : GAP).append(left ? cell + padding : padding + cell);
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private int width(int column) {
        return rows.stream().filter(row -> column < row.size()).mapToInt(row -> length(row.get(column))).max()
                .orElse(0);
    }

    private static int length(String cell) {
        return cell.codePointCount(0, cell.length());
    }
}
