import { unknownParameters } from './unknown-parameters.js'

/** `sqlite:<file>`; what follows a `?` would be parameters, and is no part of the name. */
const form = /^sqlite:([^\0?]+)(?:\?([^\0]*))?$/

/** The file that `sqlite:<file>` names, or `:memory:`; undefined for a text that is no such URL, or has parameters. */
export const sqliteFile = (text: string): string | undefined => {
  const [, file, parameters] = form.exec(text) ?? []
  return parameters === undefined ? file : undefined
}

/** Whether the text begins like the URL of a SQLite database. */
export const isSqliteUrl = (text: string): boolean => text.startsWith('sqlite:')

/** As `databaseUrlFault`, of a text for which `isSqliteUrl` holds. */
export const sqliteUrlFault = (text: string): string | undefined => {
  const [, file, parameters] = form.exec(text) ?? []
  if (file === undefined) return 'must name a file: sqlite:<file>'
  if (parameters === undefined) return undefined
  const names = [...new URLSearchParams(parameters).keys()]
  return `may have no parameters with sqlite:${unknownParameters(names, []) ?? ''}`
}
