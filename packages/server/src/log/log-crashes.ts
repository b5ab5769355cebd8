import type { Log } from './log-events.js'

const crashed = 3

const codeOf = (cause: unknown): string | undefined =>
  cause instanceof Error && 'code' in cause ? String(cause.code) : undefined

/**
 * Logs what nobody caught, by name and code only as messages can hold data, and ends the process: its state is
 * not known any more. Claims on accounts expire by themselves, and nothing half done was committed.
 */
export const logCrashes = (log: Log): void => {
  process.on('uncaughtException', (cause: unknown, origin) => {
    const name = cause instanceof Error ? cause.name : typeof cause
    log.fatal({ event: 'crashed', origin, name, code: codeOf(cause) }, 'unexpected fault')
    log.flush(() => process.exit(crashed))
  })
}
