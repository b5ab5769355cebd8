import { changeableWarning, fixedWarning, type CatalogueEntry } from './entry.js'

/** What the check that documents exist in the storage reports. */
export const documentCheckCodes = {
  path_does_not_exist_in_file_store: changeableWarning(
    'No document was found at this path. Upload it or correct the path.',
    'off',
  ),
  document_check_not_possible: fixedWarning(
    'The document store did not answer, so the paths were not checked. Send the request again to check them.',
    'retry',
  ),
} satisfies Record<string, CatalogueEntry>
