import {
  type AccountKey,
  type Clock,
  type Documents,
  instantOf,
  type Ports,
  type SupplierSettings,
  type SupplierStatus,
  type UseCases,
} from '@account-import/core'
import { type Either, makeUseCases } from '@account-import/core/fp'
import { plusSeconds } from '@account-import/core/testing'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { sample as sampleFile } from '../../support/samples.js'

/** A sample by its name, parsed at each call. */
export const sample = (name: string): Record<string, unknown> => ({ ...sampleFile(`${name}.json`) })

export const organisation = 'ACME'
const team = 'Migration team'

export type SettableClock = Clock & Readonly<{ pass(seconds: number): void }>

/** A clock that the test moves. */
export const settableClock = (start = '2025-09-01T10:00:00Z'): SettableClock => {
  let now = instantOf(Date.parse(start))
  return {
    now: () => now,
    pass: (seconds) => {
      now = plusSeconds(now, seconds)
    },
  }
}

export const right = async <L, A>(answer: Promise<Either<L, A>> | Either<L, A>): Promise<A> => {
  const either = await answer
  if (either._tag === 'Right') return either.right
  throw new Error('a Right was expected', { cause: either.left })
}

export const left = async <L, A>(answer: Promise<Either<L, A>> | Either<L, A>): Promise<L> => {
  const either = await answer
  if (either._tag === 'Left') return either.left
  throw new Error('a Left was expected')
}

/** The in-memory service with supplier LEVANTE and a team, its ports for inspection, and the clock. */
export const service = async (
  yours: Partial<Ports> = {},
): Promise<Readonly<{ ports: Ports; useCases: UseCases; clock: SettableClock }>> => {
  const clock = settableClock()
  const ports = inMemoryPorts({ clock, ...yours })
  const useCases = makeUseCases(ports)
  await right(useCases.operator.createOrganisation({ code: organisation }))
  await right(useCases.operator.createSupplier({ code: 'LEVANTE', organisation }))
  await right(useCases.operator.createTeam(team))
  return { ports, useCases, clock }
}

export const processGas = {
  external_account_number: 'LEV-G-000123',
  import_supplier_code: 'LEVANTE',
  operations_team_name: team,
}

export const gasKey = { organisation, importSupplier: 'LEVANTE', externalAccountNumber: 'LEV-G-000123' }

/** The name of another account of the same supplier. */
export const keyOf = (externalAccountNumber: string): AccountKey => ({ ...gasKey, externalAccountNumber })

/** This number of account numbers, which ascend as texts. */
export const numbered = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `N-${String(index).padStart(4, '0')}`)

export const leastText = (external_account_number: string): string =>
  JSON.stringify({ import_supplier: 'LEVANTE', external_account_number, unknown_occupier: true })

/** The service with these accounts staged, a second after each other, as the smallest accepted account or as these texts. */
export const withStaged = async (numbers: readonly string[], payloadOf = leastText) => {
  const made = await service()
  const stagings = numbers.map((number, index) => {
    made.clock.pass(Math.sign(index))
    return { key: keyOf(number), payload: payloadOf(number), at: made.clock.now() }
  })
  await right(made.ports.accountImports.stage(stagings))
  return made
}

/** Staging of the gas account, with other fields if a test sets them. */
export const staging = ({ stageAccount }: Pick<UseCases, 'stageAccount'>, fields: object = {}) =>
  stageAccount({ organisation, payload: { ...sample('gas-account'), ...fields } })

/** Processing of the gas account, with other fields of the request if a test sets them. */
export const processing = ({ processAccount }: Pick<UseCases, 'processAccount'>, fields: object = {}) =>
  processAccount({ organisation, payload: { ...processGas, ...fields } })

/** The same ports, of which one does something else. */
export const changed = <Name extends keyof Ports>(
  ports: Ports,
  name: Name,
  changes: Partial<Ports[Name]>,
): Ports => ({ ...ports, [name]: { ...ports[name], ...changes } })

/** A set of documents, and the requested keys. */
export const noted = (documents: Documents) => {
  const questions: (readonly string[])[] = []
  const existing: Documents['existing'] = (...asked) => {
    questions.push(asked[0])
    return documents.existing(...asked)
  }
  return { questions, documents: { ...documents, existing } }
}

/** The claim of another owner on an account, for this number of seconds. */
export const claimElsewhere = ({ accountImports, clock }: Ports, key: AccountKey = gasKey, seconds = 10) => {
  const at = clock.now()
  const expiresAt = plusSeconds(at, seconds)
  return right(accountImports.claim([{ key, token: 'theirs', at, expiresAt, countsAsAttempt: true }]))
}

/** A change of the settings of supplier LEVANTE. */
export const configuring = (
  { operator }: Pick<UseCases, 'operator'>,
  change: Partial<SupplierSettings> | ((settings: SupplierSettings) => SupplierSettings),
) =>
  operator.configureSupplier({
    code: 'LEVANTE',
    change: typeof change === 'function' ? change : (settings) => ({ ...settings, ...change }),
  })

export const pausing = ({ operator }: Pick<UseCases, 'operator'>, status: SupplierStatus = 'paused') =>
  operator.setSupplierStatus({ code: 'LEVANTE', status })

/** An entry of a report, by its place and its code. */
export const inShort = ({ attr, code }: Readonly<{ attr: string; code: string }>): string => `${attr} ${code}`

/** The tag of the refusal. */
export const refusalOf = async (
  answer: Promise<Either<Readonly<{ _tag: string }>, unknown>>,
): Promise<string> => (await left(answer))._tag

/** The findings of validate and stage for a payload; both must say the same. */
export const validated = async (useCases: UseCases, payload: unknown) => {
  const answers = [
    await useCases.validateAccount({ organisation, payload }),
    await useCases.stageAccount({ organisation, payload }),
  ].map((answer) => {
    if (answer._tag === 'Right') return { errors: [], warnings: answer.right.warnings.map(inShort) }
    if (answer.left._tag !== 'AccountFailedValidation') throw new Error(answer.left._tag)
    return { errors: answer.left.errors.map(inShort), warnings: answer.left.warnings.map(inShort) }
  })
  const [validated, staged] = answers
  if (validated === undefined || JSON.stringify(validated) !== JSON.stringify(staged))
    throw new Error(`validate and stage differ: ${JSON.stringify(answers)}`)
  return validated
}
