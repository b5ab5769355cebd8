#!/usr/bin/env bash
# MariaDB 10.11.19 with Spider (Debian)
# An INSERT … ON DUPLICATE KEY UPDATE of several rows fails with error 1136 when one of them exists and the statement does not name all columns
# of the table: the head sends the values of all columns for the rows after it. With all columns, or only new rows, it works.
set -euo pipefail
folder=$(mktemp -d)
source "$(dirname "$0")/support/spider.sh"

columns='n INT PRIMARY KEY, times INT NOT NULL, note VARCHAR(9)'
on_node > /dev/null <<< "CREATE TABLE t ($columns) ENGINE=InnoDB"
on_head > /dev/null <<< "CREATE TABLE t ($columns) ENGINE=SPIDER COMMENT='wrapper \"mysql\", srv \"node\", table \"t\"'"
on_head << 'END' | outcomes | tee "$folder/seen"
INSERT INTO t (n, times) VALUES (1, 1), (2, 1) ON DUPLICATE KEY UPDATE times = times + 1;
INSERT INTO t (n, times) VALUES (2, 1), (3, 1) ON DUPLICATE KEY UPDATE times = times + 1;
INSERT INTO t (n, times, note) VALUES (2, 1, NULL), (3, 1, NULL) ON DUPLICATE KEY UPDATE times = times + 1;
END
cat > "$folder/expected" << 'END'
Query OK, 2 rows affected
ERROR 1136 (21S01): Column count doesn't match value count at row 1
Query OK, 3 rows affected
END
cmp -s "$folder/expected" "$folder/seen" || {
  echo 'Spider upserts several rows with some of the columns now.' >&2
  exit 1
}
