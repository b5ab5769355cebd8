import type { ExecutionContext } from 'ava'

/**
 * Switches the verification of certificates off in the environment of this process until the test ends, without the warning of
 * Node.js: the tested refusals must not depend on it.
 */
export const switchVerificationOff = (t: ExecutionContext): void => {
  const warn = process.emitWarning.bind(process)
  process.emitWarning = () => undefined
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
  t.teardown(() => {
    delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
    process.emitWarning = warn
  })
}
