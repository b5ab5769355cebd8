-- Contracts (polissa) exported from an ERP on OpenERP or Odoo: quotes, commas, False for an empty text, vat with ES before the number, power
-- in kilowatts, and names as FAMILY, GIVEN.
-- source polissa = polissa.csv; delimiter ','; key name; sum 1 as polissa = supply_addresses[].supply_points[]

-- False and FALSE stand for no value.
CREATE TEMP MACRO value_of(x) AS CASE WHEN lower(x) <> 'false' THEN x END;
CREATE TEMP MACRO watts_of(x) AS list_transform(range(6), lambda _: CAST(CAST(x AS DECIMAL(9, 3)) * 1000 AS INTEGER));

-- One row of the query is one account. Columns and structs have the names of fields: docs/reference/fields.md. A column that begins with _
-- names the source row of the account.
SELECT
  getvariable('supplier') AS import_supplier,
  name AS external_account_number,
  name AS _name,
  [{
    account_roles: ['ACCOUNT_HOLDER'],
    user_details: [{ namespace: 'fiscal_code', value: regexp_replace("titular/vat", '^ES', '') }],
    given_name: nullif(split_part("titular/name", ', ', 2), ''),
    family_name: split_part("titular/name", ', ', 1),
    email: value_of("titular/email"),
    mobile: value_of("titular/mobile")
  }] AS customers,
  [{
    supply_address: {
      locality: value_of("cups/id_municipi/name"),
      administrative_area: value_of("cups/id_provincia/name"),
      postal_code: value_of("cups/dp"),
      country: 'ES',
      structured_street_address: { street_name: value_of("cups/nv"), street_number: value_of("cups/pnp") }
    },
    customer_at_supply_address_from_date: data_alta,
    supply_points: [{
      identifier: "cups/name",
      supply_type: 'ELECTRICITY',
      supply_start_date: data_alta,
      last_billed_to_date: value_of(data_ultima_lectura),
      atr_tariffs: [{ value: "tarifa/name", valid_from: data_alta }],
      agreements: [{
        tariff_code: 'LUZ-HOGAR',
        effective_from: data_alta,
        effective_to: value_of(data_baixa),
        cnae: value_of("cnae/name"),
        contractual_max_power: watts_of(potencia)
      }]
    }]
  }] AS supply_addresses
FROM polissa
ORDER BY name
