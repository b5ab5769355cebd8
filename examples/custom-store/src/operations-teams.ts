import { portCall, type OperationsTeam, type OperationsTeams } from '@account-import/core'
import { sorted } from './pages.js'
import type { Access } from './turns.js'
import type { View } from './view.js'

const rebind = (view: View, team: OperationsTeam, organisations: readonly string[]): void =>
  view.put('teams', team.name, { ...team, organisations: sorted(organisations, (code) => code) })

/** Whether the team exists, and the organisation may name it. */
export const mayName = (view: View, organisation: string, name: string): boolean => {
  const bound = view.get('teams', name)?.organisations
  return bound !== undefined && (bound.length === 0 || bound.includes(organisation))
}

export const operationsTeams = ({ read, change }: Access): OperationsTeams => {
  const call = portCall('operationsTeams')
  return {
    create: (name) =>
      call('create', () =>
        change((view) => {
          if (view.get('teams', name)) return 'name_taken'
          view.put('teams', name, { name, organisations: [] })
          return 'created'
        }),
      ),
    exists: (name, organisation) => call('exists', () => read((view) => mayName(view, organisation, name))),
    bind: (name, organisation) =>
      call('bind', () =>
        change((view) => {
          const team = view.get('teams', name)
          if (!team) return 'team_does_not_exist'
          if (!view.get('organisations', organisation)) return 'organisation_does_not_exist'
          rebind(view, team, [...new Set([...team.organisations, organisation])])
          return 'bound'
        }),
      ),
    unbind: (name, organisation) =>
      call('unbind', () =>
        change((view) => {
          const team = view.get('teams', name)
          if (!team?.organisations.includes(organisation)) return false
          rebind(
            view,
            team,
            team.organisations.filter((code) => code !== organisation),
          )
          return true
        }),
      ),
    list: () => call('list', () => read((view) => sorted(view.rows('teams'), ({ name }) => name))),
  }
}
