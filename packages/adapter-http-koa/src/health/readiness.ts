/** Why a component is not well: stable, without an address or a secret. */
export type HealthCode = 'timed_out' | 'migrations_pending' | `${string}_unavailable` | `${string}_refused`

/**
 * How something is that the service stands on. `degraded`: without it the service still does most of its work; `failed`:
 * it does none; `unknown`: it could not be looked at.
 */
export type ComponentState =
  | Readonly<{ state: 'ok' }>
  | Readonly<{ state: 'degraded' | 'failed' | 'unknown'; code: HealthCode }>

/** The components by their names, such as `database`. */
export type Readiness = Readonly<Record<string, ComponentState>>

type ReadinessStatus = 'ready' | 'degraded' | 'not_ready'

/** What the components come to: one that failed or is not known makes the service not ready. */
export const readinessStatus = (readiness: Readiness): ReadinessStatus => {
  const states = new Set(Object.values(readiness).map(({ state }) => state))
  if (states.has('failed') || states.has('unknown')) return 'not_ready'
  return states.has('degraded') ? 'degraded' : 'ready'
}
