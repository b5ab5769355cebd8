import { TE } from '../fp.js'
import { portFailure, type PortResult } from './port-failure.js'

/** Randomness and one-way hashing for keys, tokens and claims. */
export interface Secrets {
  /** 256 fresh random bits as 43 characters of `A-Z a-z 0-9 - _`. */
  generate(): string
  /** The SHA-256 of the text as 64 lower-case hexadecimal digits. For random secrets and for names, not for passwords. */
  hash(secret: string): Promise<string>
}

export const hashOf = ({ secrets }: Readonly<{ secrets: Secrets }>, secret: string): PortResult<string> =>
  TE.tryCatch(
    () => secrets.hash(secret),
    (cause) => portFailure('unexpected', 'secrets', 'hash', cause),
  )
