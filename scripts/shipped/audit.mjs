import { spawnSync } from 'node:child_process'

const parsed = (text) => {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/** The outcome of `npm audit`: `unanswered` if the registry does not answer, else `clean` or `found`. */
export const auditOutcome = (stdout) => {
  const { vulnerabilities, error, message, statusCode } = parsed(stdout)
  if (vulnerabilities === undefined) {
    const reason = statusCode ?? error?.code ?? error?.summary ?? message ?? 'no answer'
    return { kind: 'unanswered', line: `npm audit: the registry does not answer it (${reason}); not checked` }
  }
  const found = Object.values(vulnerabilities).map(({ name, severity }) => `${name} (${severity})`)
  return found.length === 0
    ? { kind: 'clean', line: 'npm audit: no known vulnerabilities of the shipped packages' }
    : { kind: 'found', line: `npm audit: ${found.join(', ')}` }
}

/** Asks the registry for known vulnerabilities of the shipped packages. */
export const audit = () => {
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  return auditOutcome(stdout ?? '')
}
