import { makeUseCases } from '@account-import/core/fp'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { sample, type JsonObject } from '../../support/samples.js'
import { planted, type Accepted, type Canary } from './planted.js'

/** An account with canaries, and one of each request that adds to it. */
export type PlantedAccount = Readonly<{
  account: JsonObject
  notes: JsonObject
  statements: JsonObject
  instruction: JsonObject
  transactions: JsonObject
  canaries: readonly Canary[]
}>

/** The free texts of an addition. */
const freeText =
  /^(?:body|document_path|statement_path|statement_id|number|reference|display_note|note|transaction_id)$/

/** The facts of each sample with all its values. */
const known: Record<string, Accepted> = {}

/** Plants canaries in every value of a sample account and its additions that can have one. */
export const plantedAccount = async (
  file: string,
  importSupplier: string,
  externalAccountNumber: string,
  isLeft?: (field: string) => boolean,
): Promise<PlantedAccount> => {
  const { validateAccount, operator } = makeUseCases(inMemoryPorts())
  await operator.createOrganisation({ code: 'ACME' })
  await operator.createSupplier({ code: importSupplier, organisation: 'ACME' })
  const named = (name: string): JsonObject => ({
    ...sample(name),
    import_supplier: importSupplier,
    external_account_number: externalAccountNumber,
  })
  const accepts = async (payload: JsonObject): Promise<boolean> =>
    (await validateAccount({ organisation: 'ACME', payload }))._tag === 'Right'
  const account = await planted(
    named(file),
    accepts,
    isLeft,
    isLeft === undefined ? (known[file] ??= new Map()) : undefined,
  )
  const canaries = [...account.canaries]
  const addition = async (name: string): Promise<JsonObject> => {
    const texts = await planted(
      named(name),
      async () => true,
      (field) => !freeText.test(field) || isLeft?.(field) === true,
    )
    canaries.push(...texts.canaries)
    return texts.payload
  }
  const instruction = await planted(
    named('payment-instruction.json'),
    async ({ reference: text }) => String(text).startsWith('sandbox-card-'),
    (field) => field !== 'reference',
  )
  canaries.push(...instruction.canaries)
  return {
    account: account.payload,
    notes: await addition('notes.json'),
    statements: await addition('historical-statements.json'),
    instruction: instruction.payload,
    transactions: await addition('transactions.json'),
    canaries,
  }
}
