// Types of the part of Leaflet that Sightline uses.

export type LatLngTuple = [number, number];
export interface LatLng { lat: number; lng: number; wrap(): LatLng }
export interface Point { x: number; y: number; distanceTo(p: Point): number; subtract(p: [number, number]): Point }
export interface LatLngBounds {
  extend(p: LatLngTuple): LatLngBounds;
  isValid(): boolean;
  getNorthWest(): LatLng;
  getSouthEast(): LatLng;
  contains(p: LatLngTuple | LatLng): boolean;
  pad(ratio: number): LatLngBounds;
}
export interface LeafletEvent { latlng: LatLng; target: any; originalEvent: Event }
export interface Layer {
  addTo(target: LeafletMap | LayerGroup): this;
  remove(): this;
  on(type: string, handler: (event: LeafletEvent) => void): this;
}
export interface LayerGroup extends Layer { clearLayers(): this; addLayer(layer: Layer): this; removeLayer(layer: Layer): this }
export interface Marker extends Layer {
  setLatLng(p: LatLngTuple | LatLng): this;
  getLatLng(): LatLng;
  getElement(): HTMLElement | undefined;
  setIcon(icon: object): this;
  setZIndexOffset(n: number): this;
  dragging?: { enable(): void; disable(): void };
}
export interface Circle extends Layer {
  setLatLng(p: LatLngTuple): this;
  setRadius(metres: number): this;
  setStyle(style: object): this;
  getBounds(): LatLngBounds;
}
export interface CircleMarker extends Layer {
  setLatLng(p: LatLngTuple): this;
  getLatLng(): LatLng;
  getElement(): HTMLElement | undefined;
}
export interface Path extends Layer { setStyle(style: object): this; getElement(): SVGElement | undefined }
/** Draws paths. */
export interface Renderer extends Layer {}
export interface Polygon extends Layer { setLatLngs(points: LatLngTuple[]): this; getLatLngs(): LatLng[][] }
export interface TileLayer extends Layer {}
export interface FitBoundsOptions {
  padding?: [number, number];
  paddingTopLeft?: [number, number];
  paddingBottomRight?: [number, number];
  maxZoom?: number;
  animate?: boolean;
}
export interface LeafletMap {
  on(type: string, handler: (event: LeafletEvent) => void): this;
  setView(p: LatLngTuple | LatLng, zoom: number, options?: object): this;
  panTo(p: LatLngTuple, options?: object): this;
  panBy(by: [number, number], options?: object): this;
  fitBounds(b: LatLngBounds, options?: FitBoundsOptions): this;
  hasLayer(layer: Layer): boolean;
  getBoundsZoom(b: LatLngBounds): number;
  project(p: LatLngTuple | LatLng, zoom?: number): Point;
  unproject(p: Point | [number, number], zoom?: number): LatLng;
  latLngToLayerPoint(p: LatLngTuple | LatLng): Point;
  layerPointToLatLng(p: [number, number]): LatLng;
  getZoom(): number;
  setZoom(zoom: number): this;
  zoomIn(): this;
  zoomOut(): this;
  getBounds(): LatLngBounds;
  getCenter(): LatLng;
  getSize(): Point;
  latLngToContainerPoint(p: LatLngTuple | LatLng): Point;
  invalidateSize(options?: object): this;
  remove(): this;
  getContainer(): HTMLElement;
  attributionControl?: { addAttribution(text: string): void; removeAttribution(text: string): void };
  getPane(name: string): HTMLElement;
  containerPointToLayerPoint(p: [number, number]): Point;
  containerPointToLatLng(p: [number, number]): LatLng;
}
export function map(element: HTMLElement, options?: object): LeafletMap;
export function tileLayer(url: string, options?: object): TileLayer;
/** A layer of square pieces, each made by `createTile`. */
export const GridLayer: {
  extend(methods: { createTile(coords: { x: number; y: number; z: number }, done: (error: Error | null, tile: HTMLElement) => void): HTMLElement }): new (options?: object) => Layer;
};
export function marker(p: LatLngTuple | LatLng, options?: object): Marker;
export function circle(p: LatLngTuple, options?: object): Circle;
export function circleMarker(p: LatLngTuple, options?: object): Circle & CircleMarker;
export function polygon(points: LatLngTuple[], options?: object): Polygon;
export function divIcon(options: object): object;
export function layerGroup(): LayerGroup;
export function latLngBounds(points: LatLngTuple[]): LatLngBounds;
export const LineUtil: { pointToSegmentDistance(p: Point, from: Point, to: Point): number };
export function polyline(points: LatLngTuple[][] | LatLng[], options?: object): Path;
export function polygon(points: LatLngTuple[][], options?: object): Path;
export function canvas(options?: object): Renderer;
export function svg(options?: object): Renderer;
export const DomEvent: { stopPropagation(event: LeafletEvent): void; disableClickPropagation(element: HTMLElement): void };
export const control: {
  scale(options?: object): { addTo(map: LeafletMap): void };
};
