import type { OperatorRefusal, OperatorUseCases, PortFailure } from '@account-import/core'
import type { Either } from '@account-import/core/fp'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isFileError } from '@account-import/cli/kit'
import { databaseError } from '../start-error.js'

/** The path of the key file. */
const demoKeyFile = (dataDir: string): string => join(dataDir, 'demo-api-key')

/** The key that an earlier run stored, so that a restart reuses it. */
const readDemoKey = async (dataDir: string): Promise<string | undefined> => {
  try {
    return (await readFile(demoKeyFile(dataDir), 'utf8')).trim()
  } catch (cause) {
    if (isFileError(cause, 'ENOENT')) return undefined
    throw cause
  }
}

/** Replaces the file by a new one for its owner alone, and waits until that is on the disk. Nothing is written through a link. */
const writeDemoKey = async (dataDir: string, apiKey: string): Promise<void> => {
  const path = demoKeyFile(dataDir)
  await rm(path, { force: true })
  await writeFile(path, `${apiKey}\n`, { flag: 'wx', mode: 0o600, flush: true })
}

/** The names of the demo data. Samples and tutorials use the first supplier, `npm run demo` the other. */
const demoData = {
  organisation: 'DEMO',
  organisationName: 'Demo organisation',
  importSupplier: 'LEVANTE',
  generatedSupplier: 'DEMO',
  operationsTeam: 'Demo team',
} as const

/**
 * The demo data: an organisation, a supplier for files of users and one for generated accounts, a team, and a key in a file that
 * only its owner can read. `apiKey`: the key, in the run that created it.
 */
export type Demo = Readonly<{
  organisation: string
  importSupplier: string
  generatedSupplier: string
  operationsTeam: string
  keyFile: string
  apiKey?: string
}>

type Step<A> = Promise<Either<OperatorRefusal | PortFailure, A>>

const refusedAs = (refusal: OperatorRefusal | PortFailure): Error =>
  refusal._tag === 'PortFailure'
    ? databaseError(refusal.cause)
    : new Error(`the demo data was refused: ${refusal._tag}`)

const made = async <A>(step: Step<A>): Promise<A> => {
  const outcome = await step
  if (outcome._tag === 'Left') throw refusedAs(outcome.left)
  return outcome.right
}

/** Accepts data of an interrupted earlier run. */
const madeOrThere = async (step: Step<unknown>): Promise<void> => {
  const outcome = await step
  if (outcome._tag === 'Left' && outcome.left._tag !== 'AlreadyExists') throw refusedAs(outcome.left)
}

/**
 * Creates the demo organisation with suppliers, team and key, or finds those of an earlier run. Safe to repeat after an
 * interruption. Answers undefined, and creates nothing, where the database contains other organisations.
 */
export const ensureDemo = async (operator: OperatorUseCases, dataDir: string): Promise<Demo | undefined> => {
  const { organisation: code, organisationName: name, operationsTeam, ...suppliers } = demoData
  const organisations = await made(operator.listOrganisations())
  if (organisations.length > 0 && !organisations.some((each) => each.code === code)) return undefined
  await madeOrThere(operator.createOrganisation({ code, name }))
  for (const supplier of Object.values(suppliers))
    await madeOrThere(operator.createSupplier({ code: supplier, organisation: code }))
  await madeOrThere(operator.createTeam(operationsTeam))
  const found = { organisation: code, ...suppliers, operationsTeam, keyFile: demoKeyFile(dataDir) }
  const kept = await readDemoKey(dataDir)
  const keys = await made(operator.listApiKeys())
  // The stored key may be revoked, or of a removed database.
  if (keys.some(({ id, revokedAt }) => revokedAt === undefined && kept?.startsWith(`aik_${id}_`)))
    return found
  const { apiKey } = await made(operator.createApiKey({ organisation: code, name: 'Demo key' }))
  await writeDemoKey(dataDir, apiKey)
  return { ...found, apiKey }
}
