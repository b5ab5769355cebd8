/** A right that the server denies the user. All fields are names: no statement and no value. */
export type Denied = Readonly<{
  /** Such as `INSERT`; undefined where the whole database is refused. */
  privilege: string | undefined
  /** As the server names it: `'import'@'localhost'`. */
  user: string
  /** A table, with its database where the server says it, or a database. */
  on: string
}>

const ofTable =
  /^([A-Z][A-Z ,]{2,40}?) command denied to user ('[^']{0,80}'@'[^']{0,255}') for (?:table|column '[^']*' in table) (\S{1,200})$/

const ofDatabase = /^Access denied for user ('[^']{0,80}'@'[^']{0,255}') to database '([^']{1,64})'$/

/** The missing right that a message of MySQL or MariaDB names; undefined for all other messages. */
export const deniedIn = (message: string): Denied | undefined => {
  const [, privilege, user, table] = ofTable.exec(message) ?? []
  if (user !== undefined && table !== undefined) return { privilege, user, on: table.replace(/[`']/g, '') }
  const [, whom, database] = ofDatabase.exec(message) ?? []
  return whom === undefined || database === undefined
    ? undefined
    : { privilege: undefined, user: whom, on: `${database}.*` }
}
