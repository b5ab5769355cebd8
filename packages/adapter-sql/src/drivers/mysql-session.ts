/**
 * The settings of a session on which the stores depend, with the values that they need: the server, its `init_connect` or the user
 * may have others. A number says more than DEFAULT, which is the server's own setting.
 */
const settings = [
  'autocommit = 1',
  'completion_type = 0',
  // A value that does not fit is refused, not truncated.
  "sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,NO_ENGINE_SUBSTITUTION'",
  "time_zone = '+00:00'",
  'sql_select_limit = 18446744073709551615',
  'sql_safe_updates = 0',
  'sql_big_selects = 1',
  'sql_auto_is_null = 0',
  'foreign_key_checks = 1',
  'unique_checks = 1',
  'default_storage_engine = InnoDB',
  // Longer than the texts of any key or index: only this many bytes are put in order.
  'max_sort_length = 1024',
  'group_concat_max_len = 1048576',
  // A wait for a lock keeps a connection from others, and is repeated.
  'innodb_lock_wait_timeout = 1',
]

/**
 * Settings whose name or value differs. MariaDB sorts in full, and uses no index, where ORDER BY names a text column that the
 * condition fixes, unless the collation of the session is that of the column.
 */
const ofMariaDb = 'max_statement_time = 0, NAMES utf8mb4 COLLATE utf8mb4_nopad_bin'
const ofMysql = 'max_execution_time = 0, NAMES utf8mb4 COLLATE utf8mb4_0900_bin'

/**
 * The statements that set up a session. Each server runs only the comment that is for it. Statements lock the rows that they
 * change, and no gaps.
 */
export const sessionStatements: readonly string[] = [
  `SET SESSION ${settings.join(', ')} /*M!100300 , ${ofMariaDb} */ /*!80017 , ${ofMysql} */`,
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE',
]
