import { type Client, noConnectionCode } from '@account-import/client'
import type { Scope } from '@account-import/core'
import type { AnswerOf } from '@account-import/http-contract'
import { FileFailure } from '../outcomes/file-failure.js'
import { type ImportLine, ImportStopped, type ImportSteps, type Step } from './import-job.js'

/** The service would refuse every account. `code`: the code of the service for that reason. */
export class AccessRefused extends FileFailure {
  readonly code: string

  constructor(code: string, message: string) {
    super('access_refused', message)
    this.code = code
  }
}

/** The number of characters to insert, remove or replace to make one text of the other. */
export const distance = (one: string, other: string): number => {
  let above = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= one.length; row++) {
    const line = [row]
    for (let column = 1; column <= other.length; column++) {
      const replaced = (above[column - 1] ?? 0) + (one[row - 1] === other[column - 1] ? 0 : 1)
      line.push(Math.min(replaced, (above[column] ?? 0) + 1, (line[column - 1] ?? 0) + 1))
    }
    above = line
  }
  return above[other.length] ?? 0
}

const folded = (name: string): string => name.normalize('NFKC').trim().toLowerCase()

/** The most names that a message lists. */
const mostListed = 5

/** The name that was meant, if one is near; else the first names that there are. */
const suggestion = (given: string, names: readonly string[]): string => {
  if (names.length === 0) return ' There is none that this API key may use.'
  const nearest = names
    .map((name) => ({ name, far: distance(folded(given), folded(name)) }))
    .reduce((best, each) => (each.far < best.far ? each : best))
  if (nearest.far <= Math.max(2, given.length / 3)) return ` Did you mean '${nearest.name}'?`
  const more = names.length > mostListed ? ` and ${names.length - mostListed} more` : ''
  const listed = names.slice(0, mostListed).map((name) => `'${name}'`)
  return ` This API key may use: ${listed.join(', ')}${more}.`
}

export type Access = AnswerOf<'access'>

/**
 * The names that the accounts of a run are sent under. `importSuppliers`: those that were found first; empty where none is known.
 * `team`: undefined where no account is created.
 */
export type Sending = Readonly<{
  scopes: readonly Scope[]
  importSuppliers: readonly string[]
  team: string | undefined
}>

/** The reason for which the service would refuse a supplier. */
const supplierFault = ({ import_suppliers: suppliers }: Access, code: string): AccessRefused | undefined => {
  const found = suppliers.find((supplier) => supplier.import_supplier === code)
  if (found === undefined) {
    const near = suggestion(
      code,
      suppliers.map((supplier) => supplier.import_supplier),
    )
    return new AccessRefused('import_supplier_does_not_exist', `No supplier ${code} for this API key.${near}`)
  }
  return found.status === 'ongoing'
    ? undefined
    : new AccessRefused(
        'import_supplier_migration_not_ongoing',
        `The supplier ${code} is ${found.status}, so the service takes no account of it. Ask the operator to set it to ongoing.`,
      )
}

/** The reason for which the service would refuse every account; undefined if there is none. */
const accessFault = (
  access: Access,
  { scopes, importSuppliers, team }: Sending,
): AccessRefused | undefined => {
  const lacking = scopes.filter((scope) => !access.scopes.includes(scope))
  if (lacking.length > 0)
    return new AccessRefused(
      'permission_denied',
      `The API key lacks the scope ${lacking.join(' and ')}. It has: ${access.scopes.join(', ')}.`,
    )
  if (team !== undefined && !access.operations_teams.includes(team))
    return new AccessRefused(
      'operations_team_name_does_not_exist',
      `No operations team '${team}' for this API key.${suggestion(team, access.operations_teams)}`,
    )
  const faults = importSuppliers.map((code) => supplierFault(access, code))
  // The accounts of other suppliers can be imported.
  return faults.every((fault) => fault !== undefined) ? faults[0] : undefined
}

/**
 * Rejects with `AccessRefused` if the service would refuse every account for its supplier, for the team or for the scopes of the
 * key, and with `ImportStopped` if it does not accept the key or was never reached. Any other failure refuses nothing here: the
 * next request fails too, or is repeated.
 */
export const assertAccess = async (client: Client, sending: Sending, signal: AbortSignal): Promise<void> => {
  const answer = await client.access({ signal })
  if (!answer.ok) {
    // A second try of a wrong key would count as an attempt to guess it.
    const isFinal = answer.code === 'authentication_failed' || noConnectionCode(answer.cause) !== undefined
    if (isFinal) throw new ImportStopped(answer)
    return
  }
  const fault = accessFault(answer.body, sending)
  if (fault !== undefined) throw fault
}

/** The scopes that an import needs. */
export const scopesOf = (only: Step | undefined, dryRun: boolean): readonly Scope[] => {
  if (only === 'process') return ['process']
  const first = dryRun || only === 'validate' ? 'validate' : 'stage'
  return only === undefined ? [first, 'process'] : [first]
}

/** Asks the service once, before the first batch is sent, whether it takes accounts of the suppliers in that batch. */
export const accessCheck = (client: Client, { only, dryRun, team }: ImportSteps, signal: AbortSignal) => {
  let checked: Promise<void> | undefined
  return (lines: readonly ImportLine[]): Promise<void> => {
    const suppliers = new Set(lines.flatMap(({ importSupplier }) => importSupplier ?? []))
    const sending = {
      scopes: scopesOf(only, dryRun),
      // Validation alone takes accounts of a supplier in any state.
      importSuppliers: only === 'validate' ? [] : [...suppliers],
      team: only === undefined || only === 'process' ? team : undefined,
    }
    checked ??= assertAccess(client, sending, signal)
    return checked
  }
}
