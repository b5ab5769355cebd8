import { notAcceptable, textCodec } from './text-codec.js'

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

export const logLevel = textCodec<LogLevel>(
  'logLevel',
  (text) =>
    logLevels.find((level) => level === text) ?? notAcceptable(`must be one of ${logLevels.join(', ')}`),
)
