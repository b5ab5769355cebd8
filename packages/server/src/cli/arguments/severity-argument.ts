import { InvalidArgumentError } from 'commander'
import { severities, type Severity } from '@account-import/core'
import { oneOf } from './one-of.js'

/** Reads `RULE_CODE=error|warn|off`. Whether the rule may be changed is checked when the settings are saved. */
export const severityArgument = (text: string): readonly [code: string, severity: Severity] => {
  const [, code, severity] = /^([^=]+)=(.*)$/.exec(text) ?? []
  if (code === undefined || severity === undefined)
    throw new InvalidArgumentError('Write it as RULE_CODE=error, RULE_CODE=warn or RULE_CODE=off.')
  return [code, oneOf(severities)(severity)]
}
