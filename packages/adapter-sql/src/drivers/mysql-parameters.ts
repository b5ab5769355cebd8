import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'

import { unknownParameters } from './unknown-parameters.js'

const known = ['socketPath', 'tls', 'tls-ca']

/** The certificates of the file; undefined where it cannot be read or holds none. */
const authoritiesIn = (path: string): string | undefined => {
  try {
    const text = readFileSync(path, 'utf8')
    return new X509Certificate(text).toString() === '' ? undefined : text
  } catch {
    // What Node says names the file and quotes it; the caller says what is expected instead.
    return undefined
  }
}

/** What follows the `?` of a database URL. `authorities`: PEM of those to trust in place of the bundled ones. */
export type MysqlParameters = Readonly<{
  socketPath: string | undefined
  tls: 'on' | 'off' | undefined
  authorities: string | undefined
}>

/** The parameters of a URL, or what is wrong with them, in words that follow the name of a variable; no value is quoted, unknown parameters are named. */
export const mysqlParameters = ({
  searchParams,
  hash,
}: URL): MysqlParameters | Readonly<{ fault: string }> => {
  const names = [...searchParams.keys()]
  const unknown = unknownParameters(names, known)
  if (unknown !== undefined || hash !== '')
    return { fault: `may have only the parameters tls, tls-ca and socketPath${unknown ?? ''}` }
  if (new Set(names).size < names.length) return { fault: 'has a parameter more than once' }
  const tls = searchParams.get('tls') ?? undefined
  const file = searchParams.get('tls-ca') ?? undefined
  const socketPath = searchParams.get('socketPath') ?? undefined
  if (tls !== undefined && tls !== 'on' && tls !== 'off')
    return { fault: 'may have tls=on (verified, always) or tls=off (plain text), and nothing else for tls' }
  if (file !== undefined && (tls === 'off' || socketPath !== undefined))
    return { fault: 'has tls-ca, which tls=off and socketPath leave no use for' }
  if (tls === 'on' && socketPath !== undefined)
    return { fault: 'has tls=on, which socketPath leaves no use for' }
  const authorities = file === undefined ? undefined : authoritiesIn(file)
  if (file !== undefined && authorities === undefined)
    return { fault: 'has a tls-ca that is no file of certificates (PEM) that can be read' }
  return { socketPath, tls, authorities }
}
