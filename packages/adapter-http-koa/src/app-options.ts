import type { MarketPack } from '@account-import/core'
import type { Readiness } from './health/readiness.js'
import type { KeyLimitsOptions } from './limits/key-limits.js'
import type { LogEntry } from './log-entry.js'
import type { LongBodies } from './long-bodies/long-request.js'
import type { MetricsText } from './metrics/mount-metrics.js'

export type AppOptions = Readonly<{
  /** Prefix of every path, such as `/imports`; empty by default. */
  basePath?: string
  /** Switches GraphQL introspection on, and suggestions in its errors; false by default. */
  introspection?: boolean
  /**
   * Whether exactly one proxy stands in front and sets `X-Forwarded-For`: its last entry is then taken for the
   * client's address. False by default: the address of the connection counts.
   */
  trustProxy?: boolean
  /**
   * The state of what the service needs (database, storage), for `/readyz`; called for each probe. Left out, there is
   * neither `/readyz` nor `/livez`: an application around this one has its own.
   */
  readiness?: () => Promise<Readiness>
  /**
   * What `/metrics` answers, made anew for each request. Left out, there is no `/metrics`. It needs no token and is outside
   * the base path.
   */
  metrics?: () => Promise<MetricsText>
  /** The markets whose codes the documentation shows: those of the service's settings; absent: the bundled ones. */
  markets?: readonly MarketPack[]
  /** What one key may ask for. Left out: 512 requests under way at one time. */
  limits?: KeyLimitsOptions
  /**
   * Works on bodies and lines of 128 KiB and more in another thread, by `answerLongBodies` there. Left out, they are worked on
   * here, one in a turn of the event loop, and hold up others for as long as one takes.
   */
  longBodies?: LongBodies
  /**
   * Origins, such as `https://app.example`, whose pages may use the API from a browser. Left out, or empty: none but that of the
   * service itself.
   */
  corsOrigins?: readonly string[]
  /**
   * Gets one entry for each request, when its answer has ended. Left out, entries are written to stderr as lines of JSON with the time,
   * but those of the level `debug`.
   */
  log?: (entry: LogEntry) => void
}>
