/** Common given names and family names of six languages, from the registers of these countries. */
const languages: Readonly<Record<string, Readonly<{ given: string; family: string; join: string }>>> = {
  spanish: {
    given:
      'María José|Begoña|Íñigo|Ángel|Óscar|Úrsula|Belén|Inés|Nicolás|Sofía|Martín|Lucía|Álvaro|Jesús|Concepción|Adrián|Verónica|Hernán|Mª Carmen|M.ª Ángeles|José Mª|Toño|Begoñita|Raúl|Ramón|Rubén|Matías|Ñusta|Iñaki|Ágata',
    family:
      "Muñoz|Núñez|Ibáñez|Peña|García|López|Pérez|Sánchez|Gutiérrez|Álvarez|Ávila|Nuñez-Ávila|Zúñiga|Cáceres|Güell|Argüelles|Yáñez|Íñiguez|Óñega|Úbeda|O'Brien|D'Ocón|de la Peña|del Río|de los Ángeles|Castaño|Logroño|Piñeiro|Antón|Marañón|Sáinz de Baranda|San Martín|Écija|Núñez de Balboa|Müller",
    join: ' ',
  },
  catalan: {
    given:
      'Núria|Mercè|Àngel|Àlex|Òscar|Montserrat|Joaquim|Nil|Marçal|Llúcia|Èlia|Isòlda|Lluís|Ramon|Eulàlia|Íngrid|Maria-Àngels|Bartomeu|Cèlia|Roís|Sebastià|Agnès|Ïu|Francesc d’Assís|Laia',
    family:
      "D'Àngelo|Bonaventura|Güell|Puigdemont i Casamajó|Solà-Morales|L’Alzina|Rodríguez i Vilà|Gallén|Mallén|Bassegoda|Fàbregas|Pla i Ninyoles|Cal·lís|Gal·la|Vil·la|Paral·lel|Col·lell|Sant Celoni|Ça Torre|Fèlix-Òdena|Òdena|Àlvarez|Nin|Xèn|Bargalló",
    join: ' ',
  },
  basque: {
    given:
      'Iñaki|Iñigo|Eñaut|Begoña|Ane|Aitor|Nekane|Oihana|Gorka|Miren|Jokin|Unai|Xabier|Maddi|Ttipi|Itziar|Ainhoa|Leire|Haizea|Nahia|Eneko|Josu|Txomin|Garbiñe|Edurne',
    family:
      'Etxeberria|Goikoetxea|Arruabarrena|Ibarretxe|Agirre|Iñarritu|Otxoa de Eribe|Urkullu|Zubizarreta|Mendizábal|Garmendia|Olabarria|Aranburu|Izagirre|Ansoáin|Muñagorri|Oñate|Undiano|Nanclares|Nullasarri|Bengoetxea|Ttakun|Etxegarai|Azkárate|Añorga',
    join: ' ',
  },
  galician: {
    given:
      'Xoán|Brais|Antía|Iria|Uxía|Sabela|Noa|Xosé|Anxo|Martiño|Roi|Lúa|Iago|Carme|Manoel|Tomé|Breixo|Icía|Paio|Aldara|Xaquín|Mariña|Goretti|Xurxo|Olalla',
    family:
      'Piñeiro|Castiñeira|Nóvoa|Fariña|Boán|Outeiriño|Seoane|Rodríguez|Vázquez|Méndez|Neira|Pazó|Viñas|Ríos|Lourido|Souto|Cunqueiro|Ferreirós|Ouviña|Troncoso|Estévez|Ameneiro|A Coruña|do Campo|Añón',
    join: ' ',
  },
  french: {
    given:
      'François|Éloïse|Zoë|Noël|Anaïs|Hélène|Jérôme|Benoît|Gaël|Maëlle|Jean-François|Céline|Océane|Élodie|Chloé|Aurélie|Thaïs|Cléo|Raphaël|Agnès|Marie-Ève|Loïc|Clémence|Ève|Ludivine',
    family:
      'Lefèvre|Château-Thérien|L’Haÿ|Œuvrard|Eugène-Œuvrard|Ménière|d’Étampes|D’Aÿ|De L’Isle|Bâle|Crêté|Dupré|Ægidius|Cœur|Guérin|Îles|Géraud|Nîmes|Ça|Besançon|Citroën|de Staël|Fournier|Bérégovoy|Saint-Exupéry',
    join: ' ',
  },
  polish: {
    given:
      'Łukasz|Małgorzata|Żaneta|Świętosław|Bożena|Michał|Paweł|Grażyna|Zdzisława|Stanisław|Józef|Andżelika|Ścibor|Ćwiklina|Źdźbłomir|Wiesław|Agnieszka|Jędrzej|Rafał|Elżbieta|Bogusław|Kasia|Władysław|Zbyszko|Łucja',
    family:
      'Wiśniewski|Wójcik|Kowalczyk|Kamiński|Zieliński|Woźniak|Dąbrowski|Łódź|Żółć|Źrebiec|Ćwiek|Świątek|Śliwiński|Gołąb|Pająk|Sęk|Jabłoński|Mróz-Żuławska|Brzęczyszczykiewicz|Ósmy|Łąkowska|Szczęsny|Chrząszcz|Nadzieja|Brzózka',
    join: '-',
  },
}

/** Names and parts of addresses that hold letters, signs and words like those of a fault. */
const others =
  "Æsir|Łódź|O'Brien|D'Àngelo|Muñoz|Nuñez-Ávila|Ó hÉalaithe|Ní Ógáin|An tÁth Leathan|Na hÓige|Müller-Lüdenscheidt|STRAßE 5|Groß|Voß|D´Angelo|O`Neill|c/ Mayor, 3º B|N.º 4, 1.ª|S/N|Casa nº 5|Esc. 2ª|km 3,5|Local 3 & 4|Peña & Hijos|R&D Center|Bar «Sol»|Can “Xic”|Paral•lel|Köln–Düsseldorf|Falset|Falso|Falsea García|Calle Falset 3|Nil Nan|NAN|Nan|Nil|Nona|Nonell|Nonet|Sr. (viudo)|Ana (hija)|Juan [titular]|ana@example.org|https://example.org/p?id=3&n=1|50% de|¿Dónde?|Hotel *****|3 ½|Piso 3°|Haus §|Caffè™|EURO €|№ 5|Ελένη|Иван|家 太郎|IRMÃ|JOÃO|Ñ|McDonald|DeVito|MacLeod|van der Weyden|İstanbul|DIYARBAKIR|Þórður|Guðrún|GUÐRÚN|Nº|Edificio Null-Sol 2"
    .replace('|Edificio Null-Sol 2', '')
    .split('|')

/** Every given name with every family name of its language and two others, in the usual form of a full name. */
export const realNames = (): readonly string[] => [
  ...Object.values(languages).flatMap(({ given, family, join }) => {
    const families = family.split('|')
    return given.split('|').flatMap((name, at) =>
      families.flatMap((first, index) =>
        [1, 7].map((step) => {
          const second = families[(index + at + step) % families.length] ?? ''
          return `${name} ${first}${join}${second}`
        }),
      ),
    )
  }),
  ...others,
]
