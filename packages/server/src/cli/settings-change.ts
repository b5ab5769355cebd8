import type { ClosedList, Severity, SupplierSettings } from '@account-import/core'

/** The options of `supplier configure` as read; what is absent stays as it is. */
export type SettingsOptions = Readonly<{
  documentRoot?: string
  migrationEmails?: boolean
  emailLanguage?: string
  checkDocuments?: Severity
  severity?: readonly (readonly [code: string, severity: Severity])[]
  retentionDays?: number | 'off'
  closeList?: readonly (readonly [name: string, list: ClosedList])[]
  openList?: readonly string[]
  /** Replaces the whole list; `none` alone empties it. */
  internalEmailDomain?: readonly string[]
  /** Replaces the whole set; `none` alone empties it. */
  market?: readonly string[]
}>

const documentCheck = 'path_does_not_exist_in_file_store'

const severitiesOf = ({ severity = [], checkDocuments }: SettingsOptions) => ({
  ...Object.fromEntries(severity),
  ...(checkDocuments === undefined ? {} : { [documentCheck]: checkDocuments }),
})

const listsOf = (
  lists: SupplierSettings['closedLists'],
  { closeList = [], openList = [] }: SettingsOptions,
): SupplierSettings['closedLists'] => {
  const closed = { ...lists, ...Object.fromEntries(closeList) }
  return Object.fromEntries(Object.entries(closed).filter(([name]) => !openList.includes(name)))
}

/** Options that were given in place of a whole list. */
const replacing = (given: readonly string[]): readonly string[] =>
  given.length === 1 && given[0] === 'none' ? [] : [...new Set(given)]

/** The change of settings that the options ask for. Nothing is checked here: the use case checks the outcome. */
export const settingsChange =
  (options: SettingsOptions) =>
  (settings: SupplierSettings): SupplierSettings => {
    const { retentionDays: kept, emailLanguage: chosen, ...others } = settings
    const days = options.retentionDays ?? kept ?? 'off'
    const language = options.emailLanguage ?? chosen ?? 'auto'
    return {
      ...others,
      documentRoot: options.documentRoot ?? settings.documentRoot,
      migrationEmails: options.migrationEmails ?? settings.migrationEmails,
      severities: { ...settings.severities, ...severitiesOf(options) },
      closedLists: listsOf(settings.closedLists, options),
      internalEmailDomains:
        options.internalEmailDomain === undefined
          ? settings.internalEmailDomains
          : replacing(options.internalEmailDomain),
      markets: options.market === undefined ? settings.markets : replacing(options.market),
      ...(days === 'off' ? {} : { retentionDays: days }),
      ...(language === 'auto' ? {} : { emailLanguage: language }),
    }
  }
