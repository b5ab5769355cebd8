-- SIPS of electricity (SIPS2, 57 columns): no header, commas, ISO days, watts, an empty cell for no value. SIPS2026 has 103 columns: name
-- those of your file. Its supply points are no accounts: contracts.csv is your own table of accounts.
-- source contracts = contracts.csv; delimiter ';'; key cuenta
-- source sips = sips.csv; delimiter ','; columns codigoEmpresaDistribuidora, cups, nombreEmpresaDistribuidora, codigoPostalPS, municipioPS, codigoProvinciaPS, fechaAltaSuministro, codigoTarifaATREnVigor, codigoTensionV, potenciaMaximaBIEW, potenciaMaximaAPMW, codigoClasificacionPS, codigoDisponibilidadICP, tipoPerfilConsumo, valorDerechosExtensionW, valorDerechosAccesoW, codigoPropiedadEquipoMedida, codigoPropiedadICP, potenciasContratadasEnWP1, potenciasContratadasEnWP2, potenciasContratadasEnWP3, potenciasContratadasEnWP4, potenciasContratadasEnWP5, potenciasContratadasEnWP6, fechaUltimoMovimientoContrato, fechaUltimoCambioComercializador, fechaLimiteDerechosReconocidos, fechaUltimaLectura, informacionImpagos, importeDepositoGarantiaEuros, tipoIdTitular, esViviendaHabitual, codigoComercializadora, codigoTelegestion, codigoFasesEquipoMedida, codigoAutoconsumo, codigoTipoContrato, codigoPeriodicidadFacturacion, codigoBIE, fechaEmisionBIE, fechaCaducidadBIE, codigoAPM, fechaEmisionAPM, fechaCaducidadAPM, relacionTransformacionIntensidad, CNAE, codigoModoControlPotencia, potenciaCGPW, codigoDHEquipoDeMedida, codigoAccesibilidadContador, codigoPSContratable, motivoEstadoNoContratable, codigoTensionMedida, codigoClaseExpediente, codigoMotivoExpediente, codigoTipoSuministro, aplicacionBonoSocial; key left(cups, 20) as cups; sum 1 as sips = supply_addresses[].supply_points[]

-- Six powers in watts: 2.0TD has two periods, and the second power stands for the other four.
CREATE TEMP MACRO power_of(powers) AS list_transform(range(1, 7), lambda p: CAST(coalesce(powers[p], powers[2]) AS INTEGER));

-- One row of the query is one account: a row of contracts.csv, your own table, with the
-- supply point of SIPS. Columns and
-- structs have the names of fields: docs/reference/fields.md. A column that begins with _ names the source row of the account.
SELECT
  getvariable('supplier') AS import_supplier,
  c.cuenta AS external_account_number,
  c.cuenta AS _cuenta,
  left(c.cups, 20) AS _cups, -- the first 20 characters are the supply point
-- include customer.sql
-- include address.sql
    supply_points: [{
      identifier: c.cups,
      distributor_ree_code: s.codigoEmpresaDistribuidora,
      supply_type: 'ELECTRICITY',
      supply_start_date: c.alta,
      last_billed_to_date: c.facturado,
      atr_tariffs: [{ value: s.codigoTarifaATREnVigor, valid_from: greatest(c.alta, '2021-06-01') }],
      agreements: [{
        tariff_code: 'LUZ-HOGAR',
        effective_from: c.alta,
        cnae: s.CNAE,
        contractual_max_power: power_of([s.potenciasContratadasEnWP1, s.potenciasContratadasEnWP2, s.potenciasContratadasEnWP3,
          s.potenciasContratadasEnWP4, s.potenciasContratadasEnWP5, s.potenciasContratadasEnWP6]),
        atr_type: s.codigoTipoContrato
      }]
    }]
  }] AS supply_addresses
FROM contracts c JOIN sips s ON left(s.cups, 20) = left(c.cups, 20)
ORDER BY c.cuenta
