import { isMysqlUrl } from '@account-import/adapter-sql'
import { notAcceptable, textCodec } from './text-codec.js'

/**
 * Where the data is kept. `embedded` is SQLite in a file (`:memory:` keeps nothing), `server` is MySQL, MariaDB
 * or Galera. The text may hold a password: it is never shown.
 */
export type DatabaseUrl = Readonly<{ kind: 'embedded' | 'server'; url: string }>

const isServerUrl = (text: string): boolean => {
  if (!isMysqlUrl(text)) return false
  const { hostname, pathname } = new URL(text)
  return hostname !== '' && /^\/[^/]+$/.test(pathname)
}

export const databaseUrl = textCodec<DatabaseUrl>('databaseUrl', (text) => {
  if (/^sqlite:[^\0]+$/.test(text)) return { kind: 'embedded', url: text }
  if (isServerUrl(text)) return { kind: 'server', url: text }
  return notAcceptable(
    'must be sqlite:<file> or mysql://<user>:<password>@<host>:<port>/<database>, special characters' +
      ' percent-encoded',
  )
})
