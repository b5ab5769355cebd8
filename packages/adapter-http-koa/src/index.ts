export { type AppOptions, createApp, createMetricsApp } from './app.js'
export { type ComponentState, type HealthCode, type Readiness } from './health.js'
export { type AppState, type RequestRecord } from './context.js'
export { type Asked } from '@account-import/http-contract'
export { type MetricsText } from './metrics.js'
export { type LogEntry, type LoggedFailure } from './log-entry.js'
export { type KeyLimitsOptions } from './limits/key-limits.js'
export { KeyRate, type RateLimit, type RateState } from './limits/key-rate.js'
export { answerLongBodies } from './long-bodies/answer-long-bodies.js'
export {
  type LongAnswer,
  type LongBodies,
  type LongLine,
  type LongRequest,
  type LongWork,
} from './long-bodies/long-bodies.js'
export { createHttpServer, type HttpServerOptions, type Listener } from './server/create-http-server.js'
export { type TurnstileOptions } from './server/turnstile.js'
