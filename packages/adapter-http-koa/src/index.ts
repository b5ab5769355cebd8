export { type AppOptions, createApp, createMetricsApp } from './app.js'
export { type ComponentState, type HealthCode, type MetricsText, type Readiness } from './probes.js'
export { type AppState, type LogEntry, type LoggedFailure, type RequestRecord } from './context.js'
export { type Asked } from '@account-import/http-contract'
export {
  type KeyLimits,
  type KeyLimitsOptions,
  KeyRate,
  type RateLimit,
  type RateState,
} from './limits/key-limits.js'
export { type LongBodies, type LongBodyWork, longBodyWork, type Turn } from './body/long-bodies.js'
export { createHttpServer, type HttpServerOptions, type Listener } from './server/create-http-server.js'
