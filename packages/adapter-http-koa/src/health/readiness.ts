/** Why a component does not work: a stable code, without an address or a secret. */
export type HealthCode =
  | 'timed_out'
  | 'migrations_pending'
  | `${string}_unavailable`
  | `${string}_refused`
  | `${string}_read_only`
  | `${string}_not_in_cluster`

/**
 * The state of something that the service needs. `degraded`: it does not work, but the service still does most of its
 * work; `failed`: the service does none; `unknown`: it could not be checked.
 */
export type ComponentState =
  | Readonly<{ state: 'ok' }>
  | Readonly<{ state: 'degraded' | 'failed' | 'unknown'; code: HealthCode }>

/** The components by their names, such as `database`. */
export type Readiness = Readonly<Record<string, ComponentState>>

type ReadinessStatus = 'ready' | 'degraded' | 'not_ready'

/** The state of the whole service: one component that failed or is unknown makes it not ready. */
export const readinessStatus = (readiness: Readiness): ReadinessStatus => {
  const states = new Set(Object.values(readiness).map(({ state }) => state))
  if (states.has('failed') || states.has('unknown')) return 'not_ready'
  return states.has('degraded') ? 'degraded' : 'ready'
}
