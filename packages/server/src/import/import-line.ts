import { E, externalAccountNumber, importSupplierCode, readField } from '@account-import/core/adapter-kit'
import { jsonOf } from '@account-import/http-contract'
import { isBlank, linesOf, type LineRange } from '../account-files/input/lines-of.js'

/** A line of a batch; supplier and number where it has them in a valid form. */
export type ImportLine = Readonly<{
  /** Lines before it in its batch. */
  offset: number
  range: LineRange
  bytes: Uint8Array
  importSupplier: string | undefined
  externalAccountNumber: string | undefined
}>

/** The lines that hold something. */
export const importLines = (bytes: Uint8Array): readonly ImportLine[] => {
  const lines: ImportLine[] = []
  let offset = 0
  for (const range of linesOf(bytes)) {
    const line = bytes.subarray(range.start, range.end)
    if (!isBlank(line)) lines.push({ offset, range, bytes: line, ...keyOf(line) })
    offset += 1
  }
  return lines
}

const keyOf = (line: Uint8Array): Pick<ImportLine, 'importSupplier' | 'externalAccountNumber'> => {
  const json = jsonOf(line)
  const payload = E.isLeft(json) ? undefined : json.right.payload
  return {
    importSupplier: readField(importSupplierCode, payload, 'import_supplier'),
    externalAccountNumber: readField(externalAccountNumber, payload, 'external_account_number'),
  }
}
