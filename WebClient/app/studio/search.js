// The studio's way to get somewhere on the map: its own places, coordinates, addresses.

import { searchField } from '../controls/search-field.js';

/**
 * @param {import('./editor.js').Editor} editor
 * @param {AbortSignal} until the editor is closed
 */
export async function addSearch(editor, until) {
  const { draft, map } = editor;
  const field = await searchField({
    id: 'studio-search',
    until,
    known: () => draft.dimension.places.flatMap(({ id, title, position }) => (id && position ? [{ id, title, latitude: position.latitude, longitude: position.longitude }] : [])),
    around: () => map.center(),
    choose: (found) => {
      if (found.id) editor.select(found.id, true);
      else map.goTo(found);
    },
  });
  field.classList.add('map-search');
  editor.mapBox.prepend(field);
}
