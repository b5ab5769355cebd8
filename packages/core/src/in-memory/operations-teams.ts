import type { OperationsTeam, OperationsTeams } from '../ports/operations-teams.js'
import type { Organisation } from '../ports/organisations.js'
import { portCall } from '../ports/port-failure.js'
import { inOrder } from './in-order.js'

export const inMemoryOperationsTeams = (
  organisations: ReadonlyMap<string, Organisation>,
): OperationsTeams => {
  const bindings = new Map<string, Set<string>>()
  const call = portCall('operationsTeams')
  const teamOf = ([name, bound]: readonly [string, ReadonlySet<string>]): OperationsTeam => ({
    name,
    organisations: inOrder(bound, (code) => code),
  })
  return {
    create: (name) =>
      call('create', async () => {
        if (bindings.has(name)) return 'name_taken'
        bindings.set(name, new Set())
        return 'created'
      }),
    exists: (name, organisation) =>
      call('exists', async () => {
        const bound = bindings.get(name)
        return bound !== undefined && (bound.size === 0 || bound.has(organisation))
      }),
    bind: (name, organisation) =>
      call('bind', async () => {
        const bound = bindings.get(name)
        if (bound === undefined) return 'team_does_not_exist'
        if (!organisations.has(organisation)) return 'organisation_does_not_exist'
        bound.add(organisation)
        return 'bound'
      }),
    unbind: (name, organisation) =>
      call('unbind', async () => bindings.get(name)?.delete(organisation) ?? false),
    list: () => call('list', async () => inOrder(bindings, ([name]) => name).map(teamOf)),
  }
}
