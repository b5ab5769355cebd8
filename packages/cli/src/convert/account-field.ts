import { structOf } from '@account-import/account-files'
import {
  accountPayload,
  type Fields,
  List,
  type Reader,
  Refined,
  type Struct,
} from '@account-import/core/payloads'

const baseOf = (codec: Reader<unknown>): Reader<unknown> =>
  codec instanceof Refined ? baseOf(codec.base as Reader<unknown>) : codec

/** Whether a field is a list. */
export const isList = (codec: Reader<unknown>): boolean => baseOf(codec) instanceof List

/** The JSON path of each field, in every item of its lists, by its name, such as `ledgers.ledger_balance`; and those of decimals. */
const [paths, amounts] = [new Map<string, string>(), [] as string[]]

const addFields = (struct: Struct<Fields>, names: string, path: string): void => {
  for (const [name, { codec }] of Object.entries(struct.fields)) {
    const inner = structOf(codec)
    const own = `${path}.${name}${isList(codec) ? '[*]' : ''}`
    paths.set(`${names}${name}`, own)
    if (inner !== undefined) addFields(inner, `${names}${name}.`, own)
    else if (baseOf(codec)._tag.startsWith('Decimal')) amounts.push(`${names}${name}`)
  }
}

addFields(accountPayload as unknown as Struct<Fields>, '', '$')

/** The fields that are amounts or other decimals. */
export const amountFields: readonly string[] = amounts

/** The JSON path of a field such as `ledgers[].ledger_balance`; undefined for an unknown field. */
export const pathInAccounts = (field: string): string | undefined => paths.get(field.replaceAll('[]', ''))
