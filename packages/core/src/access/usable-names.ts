import type { CheckContext } from '../codec/index.js'
import type { SupplierStatus } from '../domain/import-supplier.js'
import { E } from '../fp.js'
import type { Ports } from '../ports/index.js'
import { checkContext } from '../checking/check-payload.js'
import type { UseCaseResult } from '../checking/errors.js'

export type UsableNames = Readonly<{
  importSuppliers: readonly Readonly<{ code: string; status: SupplierStatus; context: CheckContext }>[]
  operationsTeams: readonly string[]
}>

/** The names that requests of an organisation may use, and none of another organisation. */
export const usableNames =
  (ports: Pick<Ports, 'importSuppliers' | 'operationsTeams' | 'clock' | 'settings'>) =>
  async (organisation: string): UseCaseResult<never, UsableNames> => {
    const suppliers = await ports.importSuppliers.list(organisation)
    if (E.isLeft(suppliers)) return suppliers
    const teams = await ports.operationsTeams.list(organisation)
    if (E.isLeft(teams)) return teams
    return E.right({
      importSuppliers: suppliers.right.map((supplier) => ({
        code: supplier.code,
        status: supplier.status,
        context: checkContext(ports, supplier),
      })),
      operationsTeams: teams.right.map(({ name }) => name),
    })
  }
