import { readFile } from 'node:fs/promises'
import { builtInSettings, type RuleSettings, type SupplierSettings } from '@account-import/core'
import { E, settingsFaults, type Either } from '@account-import/core/adapter-kit'
import { unreadable } from '../../account-files/input/source.js'
import type { CommandError } from '../command-error.js'
import { exitCode } from '../exit-code.js'
import type { supplierJson } from '../output/supplier-json.js'
import { settingsChange, type SettingsOptions } from '../settings-change.js'
import { typed } from '../../program-name.js'

/** How `supplier show --json` writes each setting that decides what is valid. */
const wireNames = {
  severities: 'severities',
  closedLists: 'closed_lists',
  internalEmailDomains: 'internal_email_domains',
  markets: 'markets',
} as const satisfies Record<keyof RuleSettings, string>

type Shown = keyof ReturnType<typeof supplierJson>['settings']

/** Settings that validation does not look at; the file may have them. One that is missing here does not compile. */
const otherNames = {
  document_root: true,
  migration_emails: true,
  email_language: true,
  retention_days: true,
} as const satisfies Record<Exclude<Shown, (typeof wireNames)[keyof RuleSettings]>, true>

const known: readonly string[] = [...Object.values(wireNames), ...Object.keys(otherNames)]

const refused = (detail: string, errors: CommandError['errors'] = []): CommandError => ({
  exitCode: exitCode.refused,
  code: 'settings_not_valid',
  detail,
  errors,
})

const settingsIn = (json: unknown): Readonly<Record<string, unknown>> | undefined => {
  const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject(json) && isObject(json['settings']) ? json['settings'] : undefined
}

const parsed = (path: string, text: string): Either<CommandError, SupplierSettings> => {
  const refusedFile = E.left(refused(`${path} is not what ${typed('supplier show CODE --json')} prints.`))
  let settings: Readonly<Record<string, unknown>> | undefined
  try {
    settings = settingsIn(JSON.parse(text))
  } catch {
    return refusedFile
  }
  if (settings === undefined || Object.keys(settings).some((name) => !known.includes(name)))
    return refusedFile
  const read = Object.entries(wireNames).flatMap(([name, wireName]) =>
    settings[wireName] === undefined ? [] : [[name, settings[wireName]] as const],
  )
  // Whether the values are settings at all is checked by `settingsFaults`.
  return validSettings({ ...builtInSettings, ...Object.fromEntries(read) })
}

const fromFile = async (path: string): Promise<Either<CommandError, SupplierSettings>> => {
  try {
    return parsed(path, await readFile(path, 'utf8'))
  } catch (cause) {
    const { message: detail } = unreadable(path, cause)
    return E.left({ exitCode: exitCode.environment, code: 'settings_unreadable', detail })
  }
}

const validSettings = (settings: SupplierSettings): Either<CommandError, SupplierSettings> => {
  const faults = settingsFaults(settings)
  return faults.length === 0
    ? E.right(settings)
    : E.left(refused('The settings are not valid; nothing was checked:', faults))
}

/** The settings to validate by: built-in ones or those of a file, changed by the options; checked as when saved. */
export const ruleSettings = async (
  file: string | undefined,
  options: SettingsOptions,
): Promise<Either<CommandError, SupplierSettings>> => {
  const base = file === undefined ? E.right(builtInSettings) : await fromFile(file)
  return base._tag === 'Left' ? base : validSettings(settingsChange(options)(base.right))
}
