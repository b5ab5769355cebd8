-- Accounts and contacts of Salesforce (Data Export, Data Loader): quotes, commas, line breaks in streets, times in UTC as 2023-06-10T22:30:00.000+0000. The
-- fields of a supply, here CUPS__c and others, are those of your own organisation. Ids have upper and lower case: compare them exactly.
-- source accounts = Account.csv; delimiter ','; key Id; ignore IsDeleted = 'true'; sum 1 as accounts = supply_addresses[].supply_points[]
-- source contacts = Contact.csv; delimiter ','; key AccountId as Id; sum 1 as contacts = customers[]

CREATE TEMP MACRO utc_text(x) AS strftime(timezone('UTC', TRY_CAST(x AS TIMESTAMPTZ)), '%Y-%m-%dT%H:%M:%SZ');
CREATE TEMP MACRO watts_of(x) AS list_transform(range(6), lambda _: CAST(CAST(x AS DECIMAL(9, 3)) * 1000 AS INTEGER));

-- One row of the query is one account. Columns and structs have the names of fields: docs/reference/fields.md. A column that begins with _
-- names the source row of the account.
SELECT
  getvariable('supplier') AS import_supplier,
  a.AccountNumber AS external_account_number,
  a.Id AS _Id,
  (SELECT list({
      account_roles: [CASE WHEN n = 1 THEN 'ACCOUNT_HOLDER' ELSE 'AUTHORISED_CONTACT' END],
      user_details: [{ namespace: 'fiscal_code', value: c.NIF__c }],
      given_name: c.FirstName,
      family_name: c.LastName,
      email: c.Email,
      mobile: c.MobilePhone
    } ORDER BY n)
    FROM (SELECT *, row_number() OVER (PARTITION BY AccountId ORDER BY Id) AS n FROM contacts) c WHERE c.AccountId = a.Id) AS customers,
  [{
    supply_address: {
      locality: a.BillingCity,
      administrative_area: a.BillingState,
      postal_code: a.BillingPostalCode,
      country: a.BillingCountryCode,
      structured_street_address: { street_name: regexp_replace(a.BillingStreet, '\r?\n', ', ', 'g') }
    },
    customer_at_supply_address_from_date: a.Fecha_alta__c,
    supply_points: [{
      identifier: a.CUPS__c,
      supply_type: 'ELECTRICITY',
      supply_start_date: a.Fecha_alta__c,
      atr_tariffs: [{ value: a.Tarifa__c, valid_from: a.Fecha_alta__c }],
      agreements: [{
        tariff_code: 'LUZ-HOGAR',
        effective_from: a.Fecha_alta__c,
        cnae: '9820',
        contractual_max_power: watts_of(a.Potencia_kW__c)
      }]
    }]
  }] AS supply_addresses,
  CASE WHEN a.Description <> '' THEN [{ body: a.Description, created_at: utc_text(a.CreatedDate) }] END AS notes,
  [{ namespace: 'salesforce.account', value: a.Id }] AS "references"
FROM accounts a
ORDER BY a.AccountNumber
