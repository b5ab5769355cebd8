import { InvalidArgumentError } from 'commander'
import type { ClosedList } from '@account-import/core'

/** Reads `NAME=VALUE,VALUE,…:error` or `…:warn`. Names and values are checked when the settings are saved. */
export const closedListArgument = (text: string): readonly [name: string, list: ClosedList] => {
  const [, name, members, severity] = /^([^=]+)=(.+):(error|warn)$/s.exec(text) ?? []
  if (name === undefined || members === undefined || severity === undefined)
    throw new InvalidArgumentError('Write it as NAME=VALUE,VALUE:error or NAME=VALUE,VALUE:warn.')
  return [name, { members: members.split(','), severity: severity === 'error' ? 'error' : 'warn' }]
}
