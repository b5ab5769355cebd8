-- SIPS of gas (SIPS2, 55 columns): no header, commas, ISO days, CUPS of 20 characters, flows in watt hours. Its supply points are no
-- accounts: contracts.csv is your own table of accounts.
-- source contracts = contracts.csv; delimiter ';'; key cuenta
-- source sips = sips.csv; delimiter ','; columns codigoEmpresaDistribuidora, nombreEmpresaDistribuidora, cups, codigoProvinciaPS, desProvinciaPS, codigoPostalPS, municipioPS, desMunicipioPS, tipoViaPS, viaPS, numFincaPS, portalPS, escaleraPS, pisoPS, puertaPS, codigoPresion, codigoPeajeEnVigor, caudalMaximoDiarioEnWh, caudalHorarioEnWh, derechoTUR, fechaUltimaInspeccion, codigoResultadoInspeccion, tipoPerfilConsumo, codigoContador, calibreContador, tipoContador, propiedadEquipoMedida, codigoTelemedida, fechaUltimoMovimientoContrato, fechaUltimoCambioComercializador, informacionImpagos, idTipoTitular, idTitular, nombreTitular, apellido1Titular, apellido2Titular, codigoProvinciaTitular, desProvinciaTitular, codigoPostalTitular, municipioTitular, desMunicipioTitular, tipoViaTitular, viaTitular, numFincaTitular, portalTitular, escaleraTitular, pisoTitular, puertaTitular, esViviendaHabitual, cnae, tipoCorrector, codigoAccesibilidadContador, conectadoPlantaSatelite, pctd, presionMedida; key left(cups, 20) as cups; sum 1 as sips = supply_addresses[].supply_points[]

-- One row of the query is one account: a row of contracts.csv, your own table, with the
-- supply point of SIPS. Columns and
-- structs have the names of fields: docs/reference/fields.md. A column that begins with _ names the source row of the account.
SELECT
  getvariable('supplier') AS import_supplier,
  c.cuenta AS external_account_number,
  c.cuenta AS _cuenta,
  left(c.cups, 20) AS _cups, -- the first 20 characters are the supply point
-- include customer.sql
  [{
    supply_address: {
      locality: s.desMunicipioPS,
      administrative_area: s.desProvinciaPS,
      postal_code: s.codigoPostalPS,
      country: 'ES',
      structured_street_address: {
        street_type: s.tipoViaPS, -- the table of kinds of gas is another than that of electricity
        street_name: s.viaPS,
        street_number: s.numFincaPS,
        gate: s.portalPS,
        stair: s.escaleraPS,
        floor: s.pisoPS,
        door: s.puertaPS
      }
    },
    customer_at_supply_address_from_date: c.alta,
    supply_points: [{
      identifier: c.cups,
      distributor_ree_code: s.codigoEmpresaDistribuidora,
      supply_type: 'GAS',
      supply_start_date: c.alta,
      last_billed_to_date: c.facturado,
      atr_tariffs: [{ value: s.codigoPeajeEnVigor, valid_from: greatest(c.alta, '2021-10-01') }],
      agreements: [{
        tariff_code: 'GAS-HOGAR',
        effective_from: c.alta,
        cnae: s.cnae
      }]
    }]
  }] AS supply_addresses
FROM contracts c JOIN sips s ON left(s.cups, 20) = left(c.cups, 20)
ORDER BY c.cuenta
