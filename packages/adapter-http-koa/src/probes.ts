import { portFailure } from '@account-import/core'
import { problemOf } from '@account-import/http-contract'
import type { Router } from '@koa/router'
import { putOpenly } from './admission.js'
import { type Reply, send } from './answers.js'
import type { AppContext, AppState } from './context.js'

/** Why a component does not work: a stable code, without an address or a secret. */
export type HealthCode =
  | 'timed_out'
  | 'migrations_pending'
  | 'database_of_unreleased_build'
  | `${string}_unavailable`
  | `${string}_refused`
  | `${string}_read_only`
  | `${string}_not_in_cluster`
  | 'max_allowed_packet_too_small'

/**
 * The state of a component that the service needs. `degraded`: the component fails, but the service does most of its work;
 * `failed`: the service does no work; `unknown`: the component could not be checked.
 */
export type ComponentState =
  | Readonly<{ state: 'ok' }>
  | Readonly<{ state: 'degraded' | 'failed' | 'unknown'; code: HealthCode }>

/** The components by their names, such as `database`. */
export type Readiness = Readonly<Record<string, ComponentState>>

/** The state of the whole service: a single failed or unknown component makes the service not ready. */
export const readinessStatus = (readiness: Readiness): 'ready' | 'degraded' | 'not_ready' => {
  const states = new Set(Object.values(readiness).map(({ state }) => state))
  if (states.has('failed') || states.has('unknown')) return 'not_ready'
  return states.has('degraded') ? 'degraded' : 'ready'
}

const jsonOf = (status: number, body: object): Reply => ({ status, headers: {}, body: JSON.stringify(body) })

const alive = async (): Promise<Reply> => jsonOf(200, { status: 'alive' })

/** A 503 as for an unavailable service, with the states of the components. */
const notReady = (ctx: AppContext, checks: Readiness): Reply => {
  const failure = portFailure('unavailable', 'readiness', 'check', undefined)
  const { status, headers, body } = problemOf(failure, ctx.state.accountImport.requestId)
  ctx.state.accountImport.code = body.code
  return { ...jsonOf(status, { status: 'not_ready', checks, ...body }), headers }
}

const readinessReply = async (ctx: AppContext, readiness: () => Promise<Readiness>): Promise<Reply> => {
  const checks = await readiness()
  const status = readinessStatus(checks)
  return status === 'not_ready' ? notReady(ctx, checks) : jsonOf(200, { status, checks })
}

const mountProbe = (
  router: Router<AppState>,
  path: string,
  replyTo: (ctx: AppContext) => Promise<Reply>,
): void => {
  putOpenly(router, path, path, async (ctx) => {
    ctx.state.accountImport.isProbe = true
    send(ctx, await replyTo(ctx))
  })
}

/**
 * Mounts `/livez` at the root, outside the base path of the API. It needs no token, and checks neither database nor storage, as a
 * restart of the process would not repair them.
 */
export const mountLiveness = (router: Router<AppState>): void => {
  mountProbe(router, '/livez', alive)
}

/** Mounts `/readyz` at the root, outside the base path of the API. It needs no token. */
export const mountReadiness = (router: Router<AppState>, readiness: () => Promise<Readiness>): void => {
  mountProbe(router, '/readyz', (ctx) => readinessReply(ctx, readiness))
}

/** Metrics in the format of a monitoring system. */
export type MetricsText = Readonly<{ contentType: string; text: string }>

const keptMilliseconds = 1000

/** Shares one call of `make` between concurrent callers, and caches its value for a second. A failure is not cached. */
const keptForASecond = <A>(make: () => Promise<A>): (() => Promise<A>) => {
  let made: Promise<A> | undefined
  let until = Infinity
  const begin = async (): Promise<A> => {
    until = Infinity
    try {
      const value = await make()
      until = performance.now() + keptMilliseconds
      return value
    } catch (cause) {
      until = 0
      throw cause
    }
  }
  return () => {
    if (made === undefined || performance.now() >= until) made = begin()
    return made
  }
}

/** Mounts `/metrics` at the root, outside the base path of the API. It needs no token. */
export const mountMetrics = (router: Router<AppState>, metrics: () => Promise<MetricsText>): void => {
  const path = '/metrics'
  const shared = keptForASecond(metrics)
  mountProbe(router, path, async () => {
    const { contentType, text } = await shared()
    return { status: 200, headers: { 'Content-Type': contentType }, body: text }
  })
}
