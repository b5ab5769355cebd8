import { createHash } from 'node:crypto'
import type { ValidatedLine } from '../validated-line.js'

/** Two halves of a 64-bit hash of supplier code and account number; undefined where one of them is not valid. */
export const keyHash = ({
  importSupplier,
  externalAccountNumber,
}: ValidatedLine): readonly [high: number, low: number] | undefined => {
  if (importSupplier === undefined || externalAccountNumber === undefined) return undefined
  const digest = createHash('sha256')
    .update(JSON.stringify([importSupplier, externalAccountNumber]))
    .digest()
  return [digest.readUInt32LE(0), digest.readUInt32LE(4)]
}
