import type { ExecutionContext } from 'ava'

/**
 * Has the environment of this process switch the verification of certificates off until the test ends, and keeps Node.js from
 * warning of it: what is tried holds nevertheless.
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
