"""Words capitalised in legal texts that are not personal names, folded (`rag.text.textnorm.fold`)."""

_LEGAL = """
enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
lunes martes miercoles jueves viernes sabado domingo
ley leyes real decreto decretos estatuto codigo constitucion orden resolucion reglamento directiva
instruccion circular convenio convenios colectivo acuerdo pacto protocolo tratado carta sentencia auto
articulo articulos anexo titulo capitulo seccion disposicion disposiciones libro parte apartado exposicion
tribunal tribunales juzgado juzgados audiencia sala corte pleno fiscalia fiscal ministerio
consejo consejeria instituto tesoreria seguridad social servicio servicios inspeccion administracion
administraciones estado gobierno cortes congreso senado comunidad comunidades junta generalitat xunta
ayuntamiento ayuntamientos diputacion cabildo boletin union europea autonoma autonomo autonomos autonomas
nacional nacionales estatal publico publica publicos publicas general generales especial especiales
central superior supremo constitucional oficial territorial provincial regional local internacional
regimen sistema fondo plan programa registro comision comite delegacion direccion subdireccion secretaria
departamento agencia entidad entidades organismo organizacion organizaciones mutua mutuas colegio camara
sindicato confederacion federacion asociacion fundacion universidad sociedad sociedades cooperativa
empresa empresas empresario empresarios empleador patronal mercantil
trabajo trabajador trabajadora trabajadores trabajadoras empleo empleado empleada empleados hogar
presidente presidenta presidencia vicepresidente ministro ministra director directora secretario
subsecretario subsecretaria consejero consejera magistrado magistrada juez jueza letrado letrada
abogado abogada procurador procuradora notario notaria rey reina principe defensor pueblo
alcalde alcaldesa delegado delegada inspector inspectora interventor gerente jefe jefa graduado perito
doctor doctora persona personas partes usuario usuaria contratante demandante demandado demandada
actor actora espana reino prevencion riesgos laboral laborales salud proteccion formacion profesional
educacion clausula clausulas fundamentos hechos antecedentes fallo primero primera segundo segunda
tercero tercera cuarto quinto sexto septimo octavo noveno decimo unico unica
datos don dona senor senora dios diputados senadores derecho acta
inss tgss sepe fogasa itss ss lgss et lisos lrjs lprl lpacap boe ts tc tsj an stc sts cif nif nie dni iban
ett it ip erte ere smi irpf iprem sa sl slu sau
"""
# Capitalised words that begin with one of these are not a name; a name ends before any of these.
NO_NAMES = frozenset(_LEGAL.split())

_AMBIGUOUS = """
alava albacete alicante almeria asturias avila badajoz barcelona bilbao burgos caceres cadiz cantabria
castellon ceuta ciudad cordoba coruna cuenca gerona girona granada guadalajara guipuzcoa huelva huesca
jaen leon lerida lleida logrono lugo madrid malaga melilla murcia navarra orense ourense palencia palma
palmas pamplona pontevedra rioja salamanca santander santiago segovia sevilla soria tarragona tenerife
teruel toledo valencia valladolid vizcaya vitoria zamora zaragoza andalucia aragon canarias castilla
cataluna extremadura galicia mancha baleares vasco francia alemania italia portugal
casa campo costa torres iglesia iglesias plaza pena paz gracia
nieves mercedes pilar consuelo remedios socorro concepcion ascension encarnacion dolores rosario angeles
segun tras ante bajo
"""
# Surnames that are usually another word: never masked on their own.
NOT_ALONE = frozenset(_AMBIGUOUS.split())
