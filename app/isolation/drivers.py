"""Which of GDAL's drivers a reading may use, and how the others are kept from being there at all.

``GDAL_SKIP`` counts only when it stands in the environment before GDAL is loaded, so it is set for the child, and
the child asserts at its start that nothing but these is left.
"""

from __future__ import annotations

from collections.abc import Iterable

ALLOWED = frozenset({"ESRI Shapefile", "GPKG", "OpenFileGDB", "DXF"})
"""Formats whose text we do not parse ourselves. JSON, KML and tables never reach GDAL."""

KNOWN_OTHERS = (
    "ADBC,AIVector,AVCBin,AVCE00,AmigoCloud,CSV,CSW,Carto,DGN,EDIGEO,EEDA,ESRIJSON,Elasticsearch,FlatGeobuf,GDALG,"
    "GML,GPSBabel,GPX,GTFS,GeoJSON,GeoJSONSeq,GeoRSS,HTTP,Idrisi,JML,JSONFG,KML,LIBKML,LVBAG,MBTiles,MEM,MVT,"
    "MapInfo File,MapML,MiraMonVector,NGW,OAPIF,ODS,OGCAPI,OGR_GMT,OGR_PDS,OGR_VRT,OSM,PCIDSK,PDF,PDS4,PGDUMP,"
    "PLSCENES,PMTiles,S57,SQLite,SXF,Selafin,TopoJSON,VDV,VFK,VICAR,WAsP,WFS,XLSX"
)
"""All other drivers of the GDAL that ships with pyogrio 0.13; a later one's are found at the child's start."""


def left_over(available: Iterable[str]) -> tuple[str, ...]:
    """Return the drivers that are there and must not be, sorted."""
    return tuple(sorted(set(available) - ALLOWED))
