import type { PortResult } from './port-failure.js'

export type OperationsTeam = Readonly<{
  name: string
  /** The organisations that it is bound to, in order of code; none: all may use it. */
  organisations: readonly string[]
}>

/** Named teams that accounts are created under. Names are compared exactly. */
export interface OperationsTeams {
  create(name: string): PortResult<'created' | 'name_taken'>
  /** Whether there is such a team for the organisation: one that is bound to none, or to this one. */
  exists(name: string, organisation: string): PortResult<boolean>
  /** Binds a team to an organisation, besides those that it is bound to. One that is bound to it already stays so. */
  bind(
    name: string,
    organisation: string,
  ): PortResult<'bound' | 'team_does_not_exist' | 'organisation_does_not_exist'>
  /** False when the team is not bound to the organisation. */
  unbind(name: string, organisation: string): PortResult<boolean>
  /** All, in order of name by Unicode code point. */
  list(): PortResult<readonly OperationsTeam[]>
}
