import { changeableWarning, fieldError, fixedWarning, type CatalogueEntry } from './entry.js'

/** What the types of fields report, and the codes that say that there was more than is reported. */
export const genericCodes = {
  required: fieldError('This field is missing. Add it.'),
  null: fieldError('Null is not allowed here. Leave the field out if there is no value.'),
  blank: fieldError('This value is empty. Give a value, or leave the field out if it is optional.'),
  invalid: fieldError('The value has the wrong type or format. Give {form}.'),
  max_length: fieldError('Too long. At most {max} characters or items are allowed.'),
  min_value: fieldError('Too small. The lowest allowed value is {min}.'),
  max_value: fieldError('Too large. The highest allowed value is {max}.'),
  max_digits: fieldError(
    'This JSON number has more than 15 digits and may have lost precision. Send it as a decimal string.',
  ),
  max_whole_digits: fieldError('Too many digits before the decimal point. At most {max} are allowed.'),
  max_decimal_places: fieldError('Too many decimals. At most {max} are allowed; round before sending.'),
  max_string_length: fieldError('This decimal text is too long. At most {max} characters are allowed.'),
  invalid_choice: fieldError(
    'Not one of the allowed values: {allowed}. Use one of them, in the same spelling.',
  ),
  not_in_supplier_list: {
    ...fieldError(
      'Not in the list of values agreed for this supplier. Correct it, or ask the operator to add it.',
    ),
    where: ['F', 'W'],
  },
  not_a_list: fieldError('A list is expected here. Wrap a single item in square brackets.'),
  not_a_dict: fieldError('A JSON object is expected here. Send one.'),
  empty: fieldError('This list needs at least one item. Add one.'),
  date: fieldError('This is a date without time. Give date and time as YYYY-MM-DDTHH:MM:SSZ.'),
  datetime: fieldError('This is a date with time. Give only the date as YYYY-MM-DD.'),
  null_characters_not_allowed: fieldError('The text contains a NUL character. Remove it.'),
  surrogate_characters_not_allowed: fieldError(
    'The text contains half of a character pair. Send well-formed Unicode.',
  ),
  too_many_errors: fieldError(
    'More than {max} errors were found. Fix those listed and send again to see the rest.',
  ),
  too_many_warnings: fixedWarning(
    'More than {max} warnings were found. Deal with those listed, then send again to see the rest.',
  ),
  unknown_field: changeableWarning(
    'This field is not part of the payload. It was ignored; check its spelling or remove it.',
  ),
} satisfies Record<string, CatalogueEntry>
