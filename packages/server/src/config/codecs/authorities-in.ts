import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** The certificates (PEM) of the file; undefined where it cannot be read or holds none. What Node says of it would quote it. */
export const authoritiesIn = (path: string): string | undefined => {
  try {
    const text = readFileSync(path, 'utf8')
    return new X509Certificate(text).toString() === '' ? undefined : text
  } catch {
    return undefined
  }
}
