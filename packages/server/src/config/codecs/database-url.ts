import { databaseUrlFault } from '@account-import/adapter-sql/urls'
import { notAcceptable, textCodec } from './text-codec.js'

/**
 * Where the data is kept. `embedded` is SQLite in a file (`:memory:` keeps nothing), `server` is MySQL, MariaDB
 * or Galera, on one host or several; what is not this machine is reached by verified TLS unless `?tls=off`. The text may hold a password: it is never shown.
 */
export type DatabaseUrl = Readonly<{ kind: 'embedded' | 'server'; url: string }>

export const databaseUrl = textCodec<DatabaseUrl>('databaseUrl', (text) => {
  const fault = databaseUrlFault(text)
  if (fault !== undefined) return notAcceptable(fault)
  return { kind: text.startsWith('sqlite:') ? 'embedded' : 'server', url: text }
})
