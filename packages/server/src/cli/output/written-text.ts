import { ownerOnly, type Written } from '../../account-files/output/outputs.js'

/** Which files were written; nothing where there are none. */
export const writtenText = (written: readonly Written[]): readonly string[] =>
  written.length === 0
    ? []
    : [
        written
          .map(({ path, kind }) =>
            ownerOnly.has(kind)
              ? `Written: ${path} (data of customers: readable for you alone, mode 600)`
              : `Written: ${path}`,
          )
          .join('\n'),
      ]
