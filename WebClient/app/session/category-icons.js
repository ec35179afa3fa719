// A symbol for each category: authors name categories as they like, in their own languages, so it is told from the word.

/** @type {[string, RegExp][]} symbols of icons.svg, the first that fits */
const WORDS = [
  ['place-worship', /church|minster|cathedral|chapel|mosque|synagogue|temple|worship|kirche|münster|dom\b|kapelle|église|iglesia|kerk|kyrka|教堂|寺/i],
  ['place-art', /\b(street ?)?art\b|kunst|galler|galerie|paint|gemälde|malerei|sculpt|skulptur|statue|poster|peinture|pintura|escult|schilder|målning|美术|艺术|画/i],
  ['place-museum', /museum|musée|museo|exhibit|ausstell|fossil|animal|tier|博物/i],
  ['place-food', /food|restaurant|caf[eé]|bar\b|pub\b|bakery|essen|gast|bäcker|eten|mat\b|comida|manger|餐|咖啡/i],
  ['bus', /stop|station|bus|tram|train|transit|transport|halte|bahnhof|verkehr|gare|arrêt|estación|parada|hållplats|车站/i],
  ['place-water', /water|river|lake|fountain|sea|harbou?r|wasser|fluss|see\b|brunnen|fleuve|rivière|lac|río|lago|vatten|河|湖|水/i],
  ['place-green', /park|garden|nature|tree|forest|green|flower|garten|natur|baum|wald|jardin|forêt|jardín|bosque|skog|tuin|公园|树/i],
  ['place-bridge', /bridge|brücke|pont\b|puente|brug|bro\b|桥/i],
  ['place-view', /view|summit|peak|hill|mountain|aussicht|gipfel|berg|mirador|montagne|montaña|uitzicht|utsikt|山|景/i],
  ['place-tower', /tower|turm|tour\b|torre|toren|torn|塔/i],
  ['place-school', /school|universit|college|librar|schule|bibliothek|bücherei|école|bibliothèque|escuela|biblioteca|bibliotheek|skola|bibliotek|学校|大学|图书/i],
  ['place-shop', /shop|market|store|markt|laden|geschäft|magasin|marché|tienda|mercado|winkel|affär|店|市场/i],
  ['place-building', /building|house|hall|castle|palace|town|theat|haus|gebäude|schloss|maison|bâtiment|château|edificio|casa|castillo|gebouw|slott|hus\b|楼/i],
  ['place-info', /info|tourist|office|visitor|auskunft|service|accueil|oficina|问讯/i],
];
/** Of what has no category, or one that says nothing here. */
export const USUAL_ICON = 'location';

/** @type {Map<string, string>} */
const known = new Map();

/**
 * @param {string | undefined} category as the author wrote it
 * @returns {string} a symbol of icons.svg
 */
export function categoryIcon(category) {
  if (!category) return USUAL_ICON;
  let symbol = known.get(category);
  if (!symbol) {
    symbol = WORDS.find(([, words]) => words.test(category))?.[0] ?? USUAL_ICON;
    known.set(category, symbol);
  }
  return symbol;
}
